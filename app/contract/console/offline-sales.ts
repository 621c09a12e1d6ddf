import { type Static, Type } from 'typebox';
import { Currency, count, dateTime, minorUnits, oneOfStrings, TerminalId, TerminalName } from '../parts.ts';
import { Nothing, strictObject } from './console-parts.ts';
import type { Procedure } from './procedure.ts';
import { everyRole } from './roles.ts';

const OfflineTaking = oneOfStrings(
  ['TAKES', 'OFF', 'TOTAL_REACHED', 'TOO_MANY', 'TOO_OLD', 'HOST_UNKNOWN'],
  [
    'TAKES: sales are taken without their issuer. OFF: that is switched off. TOTAL_REACHED, TOO_MANY: as much waits as may.',
    'TOO_OLD: one has waited for 24 hours. HOST_UNKNOWN: the host has never told who the terminal is there.',
  ].join(' '),
);

/** Sales that were taken without their issuer, and whether more of them are (decisions section 7). */
export const OfflineSalesView = strictObject(
  {
    count: count('Sales that wait for their issuer.'),
    sums: Type.Array(
      strictObject(
        {
          currency: Currency,
          amount: minorUnits(0, 'Sum of what waits, minor units.'),
        },
        'What waits in one currency.',
      ),
    ),
    oldestSince: Type.Optional(dateTime('Since when the oldest waits, ISO 8601.')),
    isLate: Type.Boolean({ description: 'The oldest has waited for twelve hours.' }),
    limits: strictObject(
      {
        maxSaleUnits: Type.Integer({ description: 'Most of one sale, whole units of its currency.' }),
        maxTotalUnits: Type.Integer({ description: 'Most of all together, whole units of the currency.' }),
        maxSales: Type.Integer({ description: 'Most that wait.' }),
      },
      'How much may wait.',
    ),
    unreached: Type.Array(
      strictObject(
        {
          terminalId: TerminalId,
          name: Type.Optional(TerminalName),
          currency: Currency,
          taking: OfflineTaking,
          room: Type.Optional(
            strictObject(
              {
                amount: minorUnits(0, 'Largest sale that is taken, minor units.'),
                total: minorUnits(0, 'What all further ones may come to, minor units.'),
                count: count('How many more are taken.'),
              },
              'What is still taken; absent where nothing is.',
            ),
          ),
        },
        'A reader whose host does not answer.',
      ),
      { description: 'Readers whose host does not answer, and whether sales are taken with them.' },
    ),
  },
  'Sales that wait for their issuer.',
);
export type OfflineSalesView = Static<typeof OfflineSalesView>;

export const offlineSalesProcedures = {
  'host.offlineSales': { kind: 'LOOK_UP', roles: everyRole, request: Nothing, response: OfflineSalesView },
} as const satisfies Record<string, Procedure>;
