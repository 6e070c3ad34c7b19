export type Direction = 'ltr' | 'rtl'

/** The languages of the product, by their code (BCP 47), in the order in which a person chooses. */
export const languages = {
  en: { ownName: 'English', direction: 'ltr' },
  de: { ownName: 'Deutsch', direction: 'ltr' },
  fr: { ownName: 'Français', direction: 'ltr' },
  es: { ownName: 'Español', direction: 'ltr' },
  ja: { ownName: '日本語', direction: 'ltr' },
  ar: { ownName: 'العربية', direction: 'rtl' },
} as const satisfies Readonly<Record<string, { readonly ownName: string; readonly direction: Direction }>>

export type Language = keyof typeof languages

export const isLanguage = (code: string | null | undefined): code is Language =>
  typeof code === 'string' && Object.hasOwn(languages, code)
