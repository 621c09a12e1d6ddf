import { badLineBattery } from './bad-line-battery.ts';

badLineBattery('READER');
