import { createIso8583Acquirer } from '../../host/acquirers/iso8583/iso8583-acquirer.ts';
import { realClock } from '../support/zvt-clock.ts';
import { silentLog } from '../support/zvt-terminal.ts';
import { type AcquirerBench, describeAcquirer } from './acquirer-battery.ts';
import { createTraces } from './support/acquirer-messages.ts';
import { openIsoShopAcquirer } from './support/iso-shop-acquirer.ts';
import { until } from './support/until.ts';

async function openIsoBench(): Promise<AcquirerBench> {
  const other = await openIsoShopAcquirer();
  const acquirer = createIso8583Acquirer(
    { host: '127.0.0.1', port: other.port },
    { acquirerId: '123456' },
    { clock: realClock, log: silentLog },
  );
  await acquirer.start();
  await until(() => acquirer.isReady());
  return {
    acquirer,
    trace: createTraces(),
    decline: async (code) => other.declineNext(code),
    withhold: async () => other.withholdNext(),
    release: async () => other.release(),
    tellWrongAmount: async () => other.tellWrongAmountNext(),
    async lineDown() {
      other.setAccepting(false);
      await until(() => !acquirer.isReady());
    },
    async lineUp() {
      other.setAccepting(true);
      await until(() => acquirer.isReady());
    },
    book: async () => other.book(),
    async stop() {
      await acquirer.stop();
      await other.close();
    },
  };
}

describeAcquirer('ISO 8583', openIsoBench);
