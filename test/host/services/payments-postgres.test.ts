import { createPostgresDatabase } from '../../support/postgres.ts';
import { paymentsBattery } from './payments-battery.ts';

paymentsBattery('PostgreSQL', createPostgresDatabase);
