import type { DeviceCalls } from './host.ts';
import type { HostDeps } from './host-deps.ts';
import { tipConfigFor } from './tip-config.ts';

/** GET /api/v1/terminal/config: the same body while nothing has changed, so that its ETag stays (decisions: Device additions). */
export function createDeviceConfig({ store, acquirer }: HostDeps): Pick<DeviceCalls, 'deviceConfig'> {
  return {
    async deviceConfig(caller) {
      const { merchantId, terminalId, deviceId, currency, businessDay } = caller;
      const [tips, posClientsVersion] = await Promise.all([
        store.read.findTipConfig(merchantId),
        store.read.posClientsVersion(merchantId),
      ]);
      const { maxAmountMinor, authorizationValidDays, canAdjustTips, isSimulated } = acquirer.capabilities;
      return {
        merchantId,
        terminalId,
        deviceId,
        currencyCode: currency,
        tips: tipConfigFor(caller, tips),
        posClientsVersion,
        limits: { maxAmountMinor, authorizationDays: authorizationValidDays },
        businessDay: { ...businessDay },
        acquirer: { tipAdjust: canAdjustTips, simulated: isSimulated },
      };
    },
  };
}
