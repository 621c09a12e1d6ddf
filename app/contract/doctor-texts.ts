import de from './doctor/de.json';
import en from './doctor/en.json';
import es from './doctor/es.json';
import fr from './doctor/fr.json';
import it from './doctor/it.json';

/** The words of the browser doctor, one catalogue for the console and for the page of the POS API. */
export const doctorTexts = { en, de, fr, es, it } as const satisfies Record<string, typeof en>;

export type DoctorLanguage = keyof typeof doctorTexts;
