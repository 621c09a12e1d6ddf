import { paymentsBattery } from './payments-battery.ts';

paymentsBattery('SQLite', async () => undefined);
