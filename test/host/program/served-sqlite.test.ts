import { describe } from 'vitest';
import { sqliteDatabases } from '../test-databases.ts';
import { servedBattery } from './served-battery.ts';

describe('what a host on SQLite serves', () => servedBattery(sqliteDatabases()));
