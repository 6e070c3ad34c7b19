import { forgetUnsaved, hasUnkept, languages, onLanguageChosen, reloadInLanguage, type Language } from '@dmp/kit'
import { ConfirmModal } from '@dmp/kit/screen'
import { useEffect, useState } from 'react'

/** Follows the language that another tab chooses; asks first where something typed would be lost (P27). */
export function LanguageModal() {
  const [chosen, setChosen] = useState<Language>()
  // Other tabs are outside React.
  useEffect(() => onLanguageChosen((next) => (hasUnkept() ? setChosen(next) : reloadInLanguage())), [])
  if (chosen === undefined) return null
  const reload = () => {
    forgetUnsaved()
    reloadInLanguage()
  }
  return (
    <ConfirmModal
      title="Show this page in the other language?"
      confirmLabel="Load the page anew"
      cancelLabel="Later"
      onConfirm={reload}
      onClose={() => setChosen(undefined)}
    >
      <p>
        You chose <bdi lang={chosen}>{languages[chosen].ownName}</bdi> in another tab. What you typed on this page would
        be lost.
      </p>
    </ConfirmModal>
  )
}
