import { session } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { chooseLanguageItem, languageItems, MenuButton } from '@dmp/kit/ui'
import { ModuleIcon } from './ModuleIcon.tsx'

/** 2.32, 2.33: every user sees the complaint entry, whatever their policy. The languages follow. */
const places: Readonly<Record<string, string>> = {
  Profile: '/account/profile',
  Security: '/account/security',
  Complaint: '/complaint/add',
}

export function UserMenu({ onChoose }: { onChoose: () => void }) {
  const navigate = useNavigate()
  const choose = (key: string): void => {
    onChoose()
    if (chooseLanguageItem(key)) return
    const place = places[key]
    if (place === undefined) void session.end()
    else void navigate(place)
  }
  const items = [...[...Object.keys(places), 'Log out'].map((key) => ({ key, label: key })), ...languageItems()]
  return (
    <MenuButton
      className="dmp-user-menu"
      label="User menu"
      icon={<ModuleIcon fontAwesomeClass="fa-user" />}
      items={items}
      onChoose={choose}
    >
      <span className="dmp-side-word">User menu</span>
    </MenuButton>
  )
}
