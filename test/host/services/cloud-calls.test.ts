import { describe } from 'vitest';
import { postgresDatabases, sqliteDatabases } from '../test-databases.ts';
import { cloudCallsBattery } from './cloud-calls-battery.ts';

const onSqlite = sqliteDatabases();

describe('on SQLite', () => cloudCallsBattery(onSqlite));
describe('on PostgreSQL', () => cloudCallsBattery(postgresDatabases));
