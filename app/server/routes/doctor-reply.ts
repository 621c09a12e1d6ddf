import { createHash } from 'node:crypto';
import type { DoctorQuery } from '../../contract/doctor-query.ts';
import { type DoctorLanguage, doctorTexts } from '../../contract/doctor-texts.ts';
import { BridgeError } from '../../contract/errors.ts';
import { findingsOf, originProblemTexts } from '../../domain/doctor-findings.ts';
import { readOrigin } from '../../domain/web-origin.ts';
import type { Reply } from '../../http/reply.ts';
import type { Doctor } from '../../services/doctor.ts';
import { type DoctorPage, doctorScript, doctorStyle, renderDoctorPage } from './doctor-page.ts';

/**
 * The browser doctor as a page of its own, so that an integrator opens it in the browser that is held back. It shows no more than that browser could find
 * out by trying: whether an origin is allowed, and when its page was heard last; never who has another port. Loaded when it is asked for.
 */
export async function doctorReply(
  doctor: Pick<Doctor, 'diagnose' | 'posUrl'>,
  languages: string,
  query: DoctorQuery,
): Promise<Reply> {
  const language = languageOf(languages);
  const page = await examined(doctor, language, query);
  return {
    statusCode: 200,
    body: renderDoctorPage(page),
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy(),
      // A page of its own for every language that a browser asks for; the allowed origins stand beside it.
      vary: 'Origin, Accept-Language',
    },
  };
}

async function examined(
  doctor: Pick<Doctor, 'diagnose' | 'posUrl'>,
  language: DoctorLanguage,
  query: DoctorQuery,
): Promise<DoctorPage> {
  const posUrl = doctor.posUrl();
  const origin = query.origin?.trim() ?? '';
  const address = query.address?.trim() ?? '';
  const page = { language, posUrl, origin, address: address === '' ? posUrl : address };
  const reading = origin === '' ? undefined : readOrigin(origin);
  if (reading !== undefined && 'problem' in reading) return { ...page, problem: originProblemTexts[reading.problem] };
  try {
    const found = await doctor.diagnose({
      ...(reading === undefined ? {} : { origin: reading.origin }),
      ...(address === '' ? {} : { address }),
    });
    const time = (iso: string) =>
      new Intl.DateTimeFormat(language, { timeStyle: 'medium', hourCycle: 'h23' }).format(new Date(iso));
    return {
      ...page,
      tillTime: found.tillTime,
      findings: findingsOf(found, { posUrl, time, showsHolder: false }),
      asksOperator: found.origin?.isAllowed === false,
    };
  } catch (error) {
    if (error instanceof BridgeError && error.field === 'address') return { ...page, problem: 'doctor:addressBad' };
    throw error;
  }
}

/** The first language that the browser asks for and that there is a catalogue of: browsers write them in the order of the person's wish. */
function languageOf(languages: string): DoctorLanguage {
  const wishes = languages.split(',').map((wish) => wish.trim().slice(0, 2).toLowerCase());
  return wishes.find(isLanguage) ?? 'en';
}

function isLanguage(code: string): code is DoctorLanguage {
  return Object.hasOwn(doctorTexts, code);
}

/** Its own style and its own script, its form to itself, and nothing else. */
function policy(): string {
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
  return [
    "default-src 'none'",
    `style-src ${hashOf(doctorStyle)}`,
    `script-src ${hashOf(doctorScript)}`,
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; ');
}
