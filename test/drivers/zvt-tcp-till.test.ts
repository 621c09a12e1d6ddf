import { describeTill } from './till-battery.ts';
import { zvtKind } from './zvt-bench.ts';

describeTill(zvtKind('TCP'));
