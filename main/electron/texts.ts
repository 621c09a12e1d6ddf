type Language = 'en' | 'de' | 'fr' | 'es' | 'it';

/** The few words of the shell itself; everything else is the page's. */
export interface ShellTexts {
  readonly title: string;
  readonly show: string;
  readonly quit: string;
  readonly runningTitle: string;
  readonly runningDetail: string;
  readonly stay: string;
  readonly quitAfter: string;
  readonly notStarted: string;
}

const texts: Readonly<Record<Language, ShellTexts>> = {
  en: {
    title: 'Till',
    show: 'Show the till',
    quit: 'Quit',
    runningTitle: 'A payment is running.',
    runningDetail: 'The till can close when it has ended. Nothing is cut off.',
    stay: 'Keep the till open',
    quitAfter: 'Close after the payment',
    notStarted: 'The till did not start.',
  },
  de: {
    title: 'Kasse',
    show: 'Kasse anzeigen',
    quit: 'Beenden',
    runningTitle: 'Eine Zahlung läuft.',
    runningDetail: 'Die Kasse kann schließen, sobald sie beendet ist. Nichts wird abgebrochen.',
    stay: 'Kasse offen lassen',
    quitAfter: 'Nach der Zahlung schließen',
    notStarted: 'Die Kasse konnte nicht starten.',
  },
  fr: {
    title: 'Caisse',
    show: 'Afficher la caisse',
    quit: 'Quitter',
    runningTitle: 'Un paiement est en cours.',
    runningDetail: 'La caisse peut se fermer dès qu’il est terminé. Rien n’est interrompu.',
    stay: 'Laisser la caisse ouverte',
    quitAfter: 'Fermer après le paiement',
    notStarted: 'La caisse n’a pas pu démarrer.',
  },
  es: {
    title: 'Caja',
    show: 'Mostrar la caja',
    quit: 'Salir',
    runningTitle: 'Hay un pago en curso.',
    runningDetail: 'La caja puede cerrarse cuando termine. No se interrumpe nada.',
    stay: 'Dejar la caja abierta',
    quitAfter: 'Cerrar después del pago',
    notStarted: 'La caja no se ha podido iniciar.',
  },
  it: {
    title: 'Cassa',
    show: 'Mostra la cassa',
    quit: 'Esci',
    runningTitle: 'Un pagamento è in corso.',
    runningDetail: 'La cassa può chiudersi appena è terminato. Niente viene interrotto.',
    stay: 'Lascia aperta la cassa',
    quitAfter: 'Chiudi dopo il pagamento',
    notStarted: 'La cassa non si è avviata.',
  },
};

function isLanguage(code: string): code is Language {
  return Object.hasOwn(texts, code);
}

/** The till's language, or the system's where none is set; English where neither is one of ours. */
export function textsFor(setting: string | undefined, systemLocale: string): ShellTexts {
  const code = (setting ?? systemLocale).slice(0, 2);
  return isLanguage(code) ? texts[code] : texts.en;
}
