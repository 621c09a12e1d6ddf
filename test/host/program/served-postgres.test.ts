import { describe } from 'vitest';
import { postgresDatabases } from '../test-databases.ts';
import { servedBattery } from './served-battery.ts';

describe('what a host on PostgreSQL serves', () => servedBattery(postgresDatabases));
