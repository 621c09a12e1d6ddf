// The host's action code → the two-character response code of the port. The action codes are those of ISO 8583:1993, response codes of ISO 8583:1987.
import { verdictOf } from '../../app/contract/issuer-answers.ts';

const responseCodes: ReadonlyMap<string, string> = new Map([
  ['100', '05'],
  ['101', '54'],
  ['102', '59'],
  ['104', '62'],
  ['106', '75'],
  ['107', '01'],
  ['109', '03'],
  ['110', '13'],
  ['111', '14'],
  ['114', '52'],
  ['115', '40'],
  ['116', '51'],
  ['117', '55'],
  ['118', '56'],
  ['119', '57'],
  ['120', '58'],
  ['121', '61'],
  ['122', '63'],
  ['123', '65'],
  ['125', '14'],
  ['129', '59'],
  ['200', '04'],
  ['201', '33'],
  ['202', '34'],
  ['204', '36'],
  ['206', '38'],
  ['207', '07'],
  ['208', '41'],
  ['209', '43'],
  ['902', '12'],
  ['904', '30'],
  ['907', '91'],
  ['908', '92'],
  ['909', '96'],
  ['911', '91'],
  ['912', '91'],
]);

/**
 * The code of a refusal in the words of an issuer; undefined where the host gave none that has them. The terminal itself said that the payment was refused, so
 * that a code which leaves that open is left out.
 */
export function responseCodeOf(actionCode: string | undefined): string | undefined {
  if (actionCode === undefined) return undefined;
  // Some hosts give the two characters of the older codes, with a zero before them.
  const code = responseCodes.get(actionCode) ?? (/^0[0-9]{2}$/.test(actionCode) ? actionCode.slice(1) : undefined);
  return code !== undefined && verdictOf(code, 1) === 'DECLINED' ? code : undefined;
}
