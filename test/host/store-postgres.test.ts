import { describe } from 'vitest';
import { paymentBattery } from './store-battery.ts';
import { postgresDatabases } from './test-databases.ts';

describe('the host store on PostgreSQL', () => {
  paymentBattery(postgresDatabases);
});
