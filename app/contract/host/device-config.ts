import { type Static, Type } from 'typebox';
import { Currency, count, minorUnits } from '../parts.ts';
import { DayCutOff, TimeZone } from '../settings.ts';
import { DeviceId, HostTerminalId, MerchantId, strict } from './host-parts.ts';
import { TerminalTipConfigResponse } from './tip-config.ts';

/** GET /api/v1/terminal/config: what a device needs to know; downloaded when its ETag has changed (decisions: Device additions). */
export const DeviceConfigResponse = Type.Object(
  {
    merchantId: MerchantId,
    terminalId: HostTerminalId,
    deviceId: DeviceId,
    currencyCode: Currency,
    tips: TerminalTipConfigResponse,
    posClientsVersion: Type.Integer({
      minimum: 0,
      description: 'Version of the list of POS clients: fetch it when this is another one than was fetched last.',
    }),
    limits: Type.Object(
      {
        maxAmountMinor: minorUnits(1, 'Largest amount that the acquirer takes, in minor units.'),
        authorizationDays: count('Days after which a hold lapses.'),
      },
      { ...strict, description: 'Limits of the acquirer.' },
    ),
    businessDay: Type.Optional(
      Type.Object(
        { timeZone: TimeZone, cutOff: DayCutOff },
        {
          ...strict,
          description: 'What the host tells the business date of the terminal by; absent at a host that tells none.',
        },
      ),
    ),
    acquirer: Type.Object(
      {
        tipAdjust: Type.Boolean({ description: 'Whether tips can be adjusted after the authorization.' }),
        simulated: Type.Boolean({ description: 'True where no real money can move.' }),
      },
      { ...strict, description: 'What the acquirer can do.' },
    ),
  },
  { ...strict, description: 'Configuration of one device.' },
);
export type DeviceConfigResponse = Static<typeof DeviceConfigResponse>;
