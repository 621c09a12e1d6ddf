import { type Static, Type } from 'typebox';
import { DeviceStatus } from '../device.ts';
import { TerminalInfo } from '../recovery.ts';
import { Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole } from './roles.ts';

export const TerminalView = strictObject(
  { ...TerminalInfo.properties, status: DeviceStatus },
  'A terminal: what it can do, and how it is.',
);
export type TerminalView = Static<typeof TerminalView>;

export const terminalProcedures = {
  /** Asks each idle terminal how it is; session.state and the status_changed events tell what is known without asking. */
  'terminals.list': {
    kind: 'LOOK_UP',
    roles: everyRole,
    request: Nothing,
    response: strictObject({ terminals: Type.Array(TerminalView) }, 'Every terminal.'),
  },
} as const satisfies Record<string, Procedure>;
