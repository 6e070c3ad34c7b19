import { session } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { chooseLanguageItem, languageItems, MenuButton } from '@dmp/kit/ui'
import { useState } from 'react'
import { ModuleIcon } from './ModuleIcon.tsx'
import { NewsModal } from './NewsModal.tsx'

const newsItem = { key: 'news', label: 'What’s new' }

/** 2.32, 2.33: every user sees the complaint entry, whatever their policy. News and the languages follow. */
const places: Readonly<Record<string, string>> = {
  Profile: '/account/profile',
  Security: '/account/security',
  Complaint: '/complaint/add',
}

export function UserMenu({ onChoose }: { onChoose: () => void }) {
  const navigate = useNavigate()
  const [isReading, setIsReading] = useState(false)
  const choose = (key: string): void => {
    onChoose()
    if (chooseLanguageItem(key)) return
    if (key === newsItem.key) return setIsReading(true)
    const place = places[key]
    if (place === undefined) void session.end()
    else void navigate(place)
  }
  const own = [...Object.keys(places), 'Log out'].map((key) => ({ key, label: key }))
  return (
    <>
      <MenuButton
        className="dmp-user-menu"
        label="User menu"
        icon={<ModuleIcon fontAwesomeClass="fa-user" />}
        items={[...own, newsItem, ...languageItems()]}
        onChoose={choose}
      >
        <span className="dmp-side-word">User menu</span>
      </MenuButton>
      {isReading && <NewsModal onClose={() => setIsReading(false)} />}
    </>
  )
}
