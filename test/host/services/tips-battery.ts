import { describe, expect, it } from 'vitest';
import { DeviceConfigResponse } from '../../../app/contract/host/device-config.ts';
import type { TerminalTipConfigRequest } from '../../../app/contract/host/tip-config.ts';
import { validate } from '../../../app/contract/validate.ts';
import { withStores } from '../store-battery.ts';
import { openShop } from '../store-fixture.ts';
import type { TestDatabase } from '../test-databases.ts';
import { addTerminal, deviceOf, openBench, secretOf } from './services-fixture.ts';

const tips: TerminalTipConfigRequest = {
  enabled: true,
  presetBasisPoints: [1000, 1500],
  allowCustomAmount: true,
  postAuthAdjustEnabled: false,
  maxAmountMinor: 5000,
  maxBasisPoints: 3000,
  fixedAmountMinor: null,
  fixedAmountThresholdMinor: null,
};

export function tipServicesBattery(database: TestDatabase): void {
  describe('tip configuration and the configuration of a device', () => {
    const stores = withStores(database);
    const open = async () => {
      const shop = await openShop(stores.one);
      return { shop, bench: openBench(stores.one) };
    };

    it('raises the version and wakes the terminals when it changes, and only then', async () => {
      const { shop, bench } = await open();
      await addTerminal(shop, 'T2', 'JPY');
      const put = (config: TerminalTipConfigRequest) => bench.putTipConfig(secretOf(shop), shop.merchantId, config);
      expect(await put(tips)).toMatchObject({ terminalId: 'T1', configVersion: 1, tipMaxAmountMinor: 5000 });
      expect(await put(tips)).toMatchObject({ configVersion: 1 });
      expect(bench.wakes).toEqual(['T1 CONFIGURATION', 'T2 CONFIGURATION']);
      expect(await put({ ...tips, allowCustomAmount: false })).toMatchObject({ configVersion: 2 });
      expect(bench.wakes).toHaveLength(4);
    });

    it('takes none for another merchant, and none that could not be offered', async () => {
      const { shop, bench } = await open();
      const other = bench.putTipConfig(secretOf(shop), 'M-other', tips);
      await expect(other).rejects.toMatchObject({ code: 'NOT_FOUND' });
      const wrong = bench.putTipConfig(secretOf(shop), shop.merchantId, { ...tips, presetBasisPoints: [3001] });
      await expect(wrong).rejects.toMatchObject({ code: 'INVALID_REQUEST', field: 'presetBasisPoints' });
      expect(await stores.one.read.findTipConfig(shop.merchantId)).toBeUndefined();
    });

    it('tells each device its own currency and the merchant’s tips, with the same body while nothing changes', async () => {
      const { shop, bench } = await open();
      const lane = await addTerminal(shop, 'T2', 'JPY');
      const config = () => bench.deviceConfig(deviceOf(lane, 'JPY'));
      const before = validate(DeviceConfigResponse, await config());
      expect(before).toMatchObject({
        terminalId: 'T2',
        currencyCode: 'JPY',
        tips: { configVersion: 0, tipEnabled: false },
      });
      expect(JSON.stringify(await config())).toBe(JSON.stringify(before));
      await bench.putTipConfig(secretOf(shop), shop.merchantId, tips);
      expect((await config()).tips).toMatchObject({ terminalId: 'T2', currencyCode: 'JPY', configVersion: 1 });
    });
  });
}
