import { describe } from 'vitest';
import { postgresDatabases, sqliteDatabases } from '../test-databases.ts';
import { booksBattery } from './books-battery.ts';

describe('the books of a host on SQLite', () => booksBattery(sqliteDatabases()));
describe('the books of a host on PostgreSQL', () => booksBattery(postgresDatabases));
