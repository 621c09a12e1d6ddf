import { activityProcedures } from './activity.ts';
import { attentionProcedures } from './attention.ts';
import { dayProcedures } from './day.ts';
import { exportProcedures } from './exports.ts';
import { hostProcedures } from './host.ts';
import { integrationProcedures } from './integrations.ts';
import { offlineSalesProcedures } from './offline-sales.ts';
import { printingProcedures } from './printing.ts';
import type { RequestOf, ResponseOf } from './procedure.ts';
import { sellProcedures } from './sell.ts';
import { sessionProcedures } from './session.ts';
import { settingsProcedures } from './settings.ts';
import { staffProcedures } from './staff.ts';
import { supportProcedures } from './support.ts';
import { terminalProcedures } from './terminals.ts';
import { virtualProcedures } from './virtual.ts';

/** Every procedure of the console: the one map that the router, the channel and the screen's types are made from. */
export const procedures = {
  ...sessionProcedures,
  ...staffProcedures,
  ...settingsProcedures,
  ...sellProcedures,
  ...activityProcedures,
  ...attentionProcedures,
  ...dayProcedures,
  ...exportProcedures,
  ...terminalProcedures,
  ...virtualProcedures,
  ...integrationProcedures,
  ...printingProcedures,
  ...supportProcedures,
  ...hostProcedures,
  ...offlineSalesProcedures,
} as const;

export type ProcedureName = keyof typeof procedures;
export type ProcedureRequest<Name extends ProcedureName> = RequestOf<(typeof procedures)[Name]>;
export type ProcedureResponse<Name extends ProcedureName> = ResponseOf<(typeof procedures)[Name]>;

export function isProcedureName(name: string): name is ProcedureName {
  return Object.hasOwn(procedures, name);
}
