import { paymentsBattery } from './payments-battery.ts';
import { putBackBattery } from './put-back-battery.ts';
import { recoveryBattery } from './recovery-battery.ts';
import { refusalsBattery } from './refusals-battery.ts';
import { sessionPaymentsBattery } from './session-payments-battery.ts';

const database = async () => undefined;

paymentsBattery('SQLite', database);
putBackBattery('SQLite', database);
recoveryBattery('SQLite', database);
refusalsBattery('SQLite', database);
sessionPaymentsBattery('SQLite', database);
