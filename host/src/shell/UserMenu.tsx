import { session } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { chooseLanguageItem, languageItems, MenuButton } from '@dmp/kit/ui'
import { useState } from 'react'
import { ModuleIcon } from './ModuleIcon.tsx'
import { NewsModal } from './NewsModal.tsx'

/** 2.32, 2.33: every user sees the complaint entry, whatever their policy. The languages follow. */
const items = [
  { key: '/account/profile', label: 'Profile' },
  { key: '/account/security', label: 'Security' },
  { key: '/complaint/add', label: 'Complaint' },
  { key: 'end', label: 'Log out' },
  { key: 'news', label: 'What’s new' },
] as const

export function UserMenu({ onChoose }: { onChoose: () => void }) {
  const navigate = useNavigate()
  const [isReading, setIsReading] = useState(false)
  const choose = (key: string): void => {
    onChoose()
    if (chooseLanguageItem(key)) return
    if (key === 'news') return setIsReading(true)
    if (key === 'end') void session.end()
    else void navigate(key)
  }
  return (
    <>
      <MenuButton
        className="dmp-user-menu"
        label="User menu"
        icon={<ModuleIcon fontAwesomeClass="fa-user" />}
        items={[...items, ...languageItems()]}
        onChoose={choose}
      >
        <span className="dmp-side-word">User menu</span>
      </MenuButton>
      {isReading && <NewsModal onClose={() => setIsReading(false)} />}
    </>
  )
}
