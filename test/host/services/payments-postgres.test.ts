import { createPostgresDatabase } from '../../support/postgres.ts';
import { paymentsBattery } from './payments-battery.ts';
import { putBackBattery } from './put-back-battery.ts';
import { recoveryBattery } from './recovery-battery.ts';
import { refusalsBattery } from './refusals-battery.ts';
import { sessionPaymentsBattery } from './session-payments-battery.ts';

const database = createPostgresDatabase;

paymentsBattery('PostgreSQL', database);
putBackBattery('PostgreSQL', database);
recoveryBattery('PostgreSQL', database);
refusalsBattery('PostgreSQL', database);
sessionPaymentsBattery('PostgreSQL', database);
