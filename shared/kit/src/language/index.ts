// Enough for pages that are not made with the kit: the viewer is written in the same language.
export { direction, language, locale, showLanguage } from './language.ts'
export { formatDay } from './formatInLanguage.ts'
export { formatBytes } from './formatBytes.ts'
export { formatNumber } from './numbers.ts'
export { isLanguage, languages, type Direction, type Language } from './languages.ts'
export { fetchCatalogue, giveTexts, loadTexts, type TextsSource } from './loadTexts.ts'
export { countTexts, subscribeToTexts } from './textsByPart.ts'
export { dataWord, personName } from './dataWords.ts'
