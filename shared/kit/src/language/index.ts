export { chooseLanguage, onLanguageChosen, reloadInLanguage } from './chooseLanguage.ts'
export { direction, language, locale, showLanguage } from './language.ts'
export { languages, type Direction, type Language } from './languages.ts'
