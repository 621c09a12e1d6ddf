import type { Candidate } from '../../app/ports/terminal-finder.ts';
import { lrcNameOf } from '../urls/ecr17-url.ts';
import { neo2PlaceOf } from '../urls/neo2-url.ts';

const schemes = { ZVT: 'zvt', NEO2: 'neo2', ECR17: 'ecr17', CAISSE_AP: 'caisse-ap' } as const;

/** A candidate as a terminal's address; ZVT where it does not say what is spoken. Whether such a terminal can be on such a line shows when it is read. */
export function candidateUrl(candidate: Candidate): string {
  const { line, protocol = 'ZVT' } = candidate;
  const parameters = parametersOf(candidate).join('&');
  if (line.kind === 'HID') return `${neo2PlaceOf(line)}?${parameters}`;
  const scheme = schemes[protocol];
  if (line.kind === 'SERIAL') return `${scheme}+serial://${line.path}?baudRate=${line.baudRate}&${parameters}`;
  const host = line.host.includes(':') ? `[${line.host}]` : line.host;
  return `${scheme}+tcp://${host}:${line.port}?${parameters}`;
}

function parametersOf({ line, protocol = 'ZVT', password, currency, lrc }: Candidate): readonly string[] {
  const money = `currency=${encodeURIComponent(currency)}`;
  if (line.kind !== 'HID' && protocol === 'ZVT') return [`password=${password.reveal()}`, money];
  if (line.kind !== 'HID' && protocol === 'ECR17' && lrc !== undefined) return [`lrc=${lrcNameOf(lrc)}`, money];
  return [money];
}
