import { badLineBattery } from './bad-line-battery.ts';

badLineBattery('OWN_ACQUIRER');
