import { caisseApKind } from './caisse-ap-bench.ts';
import { describeTill } from './till-battery.ts';

describeTill(caisseApKind());
