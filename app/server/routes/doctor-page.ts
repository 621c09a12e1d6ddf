import { escapeHtml } from '../../contract/docs-fields.ts';
import type { DoctorTextKey } from '../../contract/doctor-text-key.ts';
import { type DoctorLanguage, doctorTexts } from '../../contract/doctor-texts.ts';
import {
  clockFinding,
  type Finding,
  FRAME_EXAMPLE,
  findingWords,
  MAX_CLOCK_SKEW_MS,
} from '../../domain/doctor-findings.ts';

/** What the page of the browser doctor shows. */
export interface DoctorPage {
  readonly language: DoctorLanguage;
  readonly posUrl: string;
  /** As it was typed. */
  readonly origin: string;
  readonly address: string;
  /** What is wrong with the input. */
  readonly problem?: DoctorTextKey;
  readonly findings?: readonly Finding[];
  /** The till's clock at the time of the findings, ISO 8601. */
  readonly tillTime?: string;
  /** The page is not allowed yet, and only the operator can do that. */
  readonly asksOperator?: boolean;
}

type Text = (key: DoctorTextKey, values?: Finding['values']) => string;

/** Shows of the two sentences about the clock the one that is true in this browser; there is nothing to see without a script. */
export const doctorScript = `for (const list of document.querySelectorAll('[data-till-time]')) {
  const skewMs = Math.abs(Date.parse(list.dataset.tillTime) - Date.now());
  const line = list.querySelector(skewMs > Number(list.dataset.maxSkewMs) ? '[data-clock=bad]' : '[data-clock=good]');
  const text = line.querySelector('p');
  text.textContent = text.textContent.replace('{{seconds}}', Math.round(skewMs / 1000));
  line.hidden = false;
}
`;

export const doctorStyle = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1d2430, #e6e9ef);
  --soft: light-dark(#4d5766, #a9b3c2);
  --paper: light-dark(#ffffff, #14181f);
  --panel: light-dark(#f5f7fa, #1b212b);
  --line: light-dark(#8b95a3, #5f6b7c);
  --accent: light-dark(#0b5cad, #74b3ff);
  --on-accent: light-dark(#ffffff, #0b1a2b);
  --good: light-dark(#11633a, #62d196);
  --warn: light-dark(#7a4205, #f0b060);
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.5rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.75rem; }
h2 { margin: 2rem 0 0; font-size: 1.25rem; }
h3 { margin: 1rem 0 0; font-size: 1rem; }
p { margin: .25rem 0; overflow-wrap: anywhere; }
.soft { color: var(--soft); }
form { display: flex; flex-wrap: wrap; align-items: end; gap: 1rem; margin: 1.5rem 0; }
label { flex: 1 1 20rem; font-weight: 600; }
label small { display: block; font-weight: 400; font-size: .875rem; color: var(--soft); }
input { display: block; width: 100%; min-height: 44px; margin-top: .25rem; padding: 0 .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--paper); color: var(--ink); font: inherit; font-weight: 400; }
button { min-height: 44px; padding: 0 1.5rem; border: 0; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.findings { margin: 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .5rem; }
.findings li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1rem; min-height: 56px; padding: .5rem 1rem; }
.findings li[hidden] { display: none; }
.findings li:not(:first-child) { border-top: 1px solid var(--line); }
.state { font-weight: 600; }
[data-state=GOOD] .state { color: var(--good); }
[data-state=BAD] .state, .problem { color: var(--warn); }
.problem { font-weight: 600; }
.findings + p { margin-top: 1rem; }
pre { padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--panel); white-space: pre-wrap; overflow-wrap: anywhere; }
`;

const icons: Readonly<Record<Finding['state'], string>> = { GOOD: '✓', BAD: '▲', NOT_TRIED: '○' };

/** One HTML document that loads nothing: its policy names the one style and the one script by their hashes. */
export function renderDoctorPage(page: DoctorPage): string {
  const t = textsOf(page.language);
  return `<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${t('doctor:title')}</title>
<style>${doctorStyle}</style>
</head>
<body>
<main>
<h1>${t('doctor:title')}</h1>
<p>${t('doctor:text')}</p>
<p class="soft">${t('doctor:unkeyed')}</p>
${formHtml(page, t)}
${page.problem === undefined ? '' : `<p class="problem" role="alert">${t(page.problem)}</p>`}
${findingsHtml(page, t)}
${page.asksOperator === true ? `<p>${t('doctor:askOperator')}</p>` : ''}
${fixesHtml(t)}
</main>
<script>${doctorScript}</script>
</body>
</html>
`;
}

/** The texts of a language, made safe for HTML with their values. */
function textsOf(language: DoctorLanguage): Text {
  const texts: Readonly<Record<string, string>> = doctorTexts[language];
  return (key, values = {}) => {
    const text = texts[key.replace('doctor:', '')] ?? '';
    return escapeHtml(text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(values[name] ?? whole)));
  };
}

function formHtml({ origin, address }: DoctorPage, t: Text): string {
  const field = (name: string, value: string) =>
    `<input name="${name}" value="${escapeHtml(value)}" maxlength="200" autocomplete="off" spellcheck="false">`;
  return `<form action="/doctor" method="get">
<label>${t('doctor:origin')}<small>${t('doctor:originHint')}</small>${field('origin', origin)}</label>
<label>${t('doctor:address')}${field('address', address)}</label>
<button>${t('doctor:check')}</button>
</form>`;
}

function findingsHtml({ findings, tillTime }: DoctorPage, t: Text): string {
  if (findings === undefined || tillTime === undefined) return '';
  const good = clockFinding(0);
  // The seconds are known in the browser only.
  const bad = { ...clockFinding(Number.POSITIVE_INFINITY), values: {} };
  return `<ul class="findings" data-till-time="${tillTime}" data-max-skew-ms="${MAX_CLOCK_SKEW_MS}">
${findings.map((finding) => findingHtml(finding, t)).join('\n')}
${findingHtml(good, t, ' data-clock="good" hidden')}
${findingHtml(bad, t, ' data-clock="bad" hidden')}
</ul>`;
}

function findingHtml({ state, text, values }: Finding, t: Text, attributes = ''): string {
  const word = `<span class="state"><span aria-hidden="true">${icons[state]}</span> ${t(findingWords[state])}</span>`;
  return `<li data-state="${state}"${attributes}><p>${t(text, values)}</p>${word}</li>`;
}

function fixesHtml(t: Text): string {
  return `<h2>${t('doctor:browsers')}</h2>
<p class="soft">${t('doctor:asOf')}</p>
<h3>Chrome</h3>
<p>${t('doctor:chrome')}</p>
<h3>Edge</h3>
<p>${t('doctor:edge')}</p>
<h3>Firefox</h3>
<p>${t('doctor:firefox')}</p>
<p>${t('doctor:secure')}</p>
<p>${t('doctor:frame')}</p>
<pre tabindex="0">${escapeHtml(FRAME_EXAMPLE)}</pre>`;
}
