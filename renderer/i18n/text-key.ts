import type doctor from '../../app/contract/doctor/en.json';
import type activity from './en/activity.json';
import type advice from './en/advice.json';
import type attention from './en/attention.json';
import type common from './en/common.json';
import type day from './en/day.json';
import type errors from './en/errors.json';
import type host from './en/host.json';
import type integrations from './en/integrations.json';
import type printing from './en/printing.json';
import type sell from './en/sell.json';
import type session from './en/session.json';
import type settings from './en/settings.json';
import type support from './en/support.json';
import type terminals from './en/terminals.json';

/** The English catalogues, one line for each namespace: what is not in them is an error of types. */
interface Catalogues {
  activity: typeof activity;
  advice: typeof advice;
  attention: typeof attention;
  common: typeof common;
  day: typeof day;
  doctor: typeof doctor;
  errors: typeof errors;
  host: typeof host;
  integrations: typeof integrations;
  printing: typeof printing;
  sell: typeof sell;
  session: typeof session;
  support: typeof support;
  terminals: typeof terminals;
  settings: typeof settings;
}

type Leaf<Tree> = {
  [Key in keyof Tree & string]: Tree[Key] extends string ? Singular<Key> : `${Key}.${Leaf<Tree[Key]>}`;
}[keyof Tree & string];

/** `asked_one` and `asked_other` are two forms of the one text `asked`. */
type Singular<Key extends string> = Key extends `${infer Stem}_${'one' | 'many' | 'other'}` ? Stem : Key;

/** A text of the console: `namespace:path`, e.g. `sell:result.paid`. */
export type TextKey = { [Name in keyof Catalogues]: `${Name}:${Leaf<Catalogues[Name]>}` }[keyof Catalogues];
