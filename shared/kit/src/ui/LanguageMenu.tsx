import { chooseLanguage, isLanguage, language, languages } from '@dmp/kit'
import { GlobalOutlined } from './icons.tsx'
import { MenuButton, type MenuItem } from './MenuButton.tsx'

/** The languages as entries of a menu, each in its own name and marked as of that language. */
export const languageItems = (): MenuItem[] =>
  Object.entries(languages).map(([code, { ownName }]) => ({
    key: code,
    label: ownName,
    lang: code,
    isChosen: code === language(),
  }))

/** Loads the page in the language of the entry. Returns false for an entry that is none. */
export function chooseLanguageItem(key: string): boolean {
  if (!isLanguage(key)) return false
  chooseLanguage(key)
  return true
}

/** The choice of the page's language. Its button has the sign and the name that one finds in any language. */
export function LanguageMenu() {
  const { ownName } = languages[language()]
  return (
    <MenuButton
      label={`Language: ${ownName}`}
      icon={<GlobalOutlined />}
      items={languageItems()}
      onChoose={chooseLanguageItem}
    >
      {ownName}
    </MenuButton>
  )
}
