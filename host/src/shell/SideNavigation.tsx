import { dataWord, personName } from '@dmp/kit/language'
import { isUnder, navigationFor, type NavigationEntry } from '@dmp/contract/remote'
import { useUser } from '@dmp/kit'
import { Link, useLocation } from '@dmp/kit/router'
import { Wordmark } from '@dmp/kit/ui'
import { prefetchPath } from '../remotes/prefetch.ts'
import { declarations } from '../remotes/snapshot.ts'
import { ModuleIcon } from './ModuleIcon.tsx'
import { UserMenu } from './UserMenu.tsx'

interface Props {
  readonly isSmall: boolean
  readonly onToggle: () => void
  /** Called when an entry was chosen. */
  readonly onChoose: () => void
}

/** 2.32: the signed-in user, their menu, and the modules that their policy shows, from the declarations alone. */
export function SideNavigation({ isSmall, onToggle, onChoose }: Props) {
  const user = useUser()
  const { organization, roleDisplayName, policy } = user
  // Its title is one of the English ones (5.07).
  const fullName = personName(user.fullName)
  const entries = navigationFor(declarations(), policy)
  const { pathname } = useLocation()
  // An entry may lie below another one: the page is at the longer of them.
  const current = entries
    .map(({ routerLink }) => routerLink)
    .filter((routerLink) => isUnder(pathname, routerLink))
    .sort((a, b) => b.length - a.length)[0]
  const drawEntry = (entry: NavigationEntry) => (
    <Entry key={entry.routerLink} entry={entry} isCurrent={entry.routerLink === current} onChoose={onChoose} />
  )
  return (
    <aside className="dmp-side" aria-label="Side navigation">
      <Link to="/dashboard" className="dmp-side-mark" onClick={onChoose}>
        <Wordmark />
      </Link>
      <div className="dmp-side-person">
        <strong title={fullName}>
          <bdi>{fullName}</bdi>
        </strong>
        <Link to="/account/organization" title={organization} onClick={onChoose}>
          <bdi>{organization}</bdi>
        </Link>
        <span>{dataWord(roleDisplayName)}</span>
      </div>
      <UserMenu onChoose={onChoose} />
      <nav aria-label="Modules">
        <ul>{entries.filter(({ group }) => group === undefined).map(drawEntry)}</ul>
        {listGroups(entries).map((group) => (
          <div key={group} role="group" aria-label={dataWord(group)}>
            <h2>{dataWord(group)}</h2>
            <ul>{entries.filter((entry) => entry.group === group).map(drawEntry)}</ul>
          </div>
        ))}
      </nav>
      <button type="button" className="dmp-side-toggle" onClick={onToggle} aria-expanded={!isSmall}>
        <svg className="dmp-icon dmp-points" viewBox="0 0 24 24" aria-hidden="true">
          <path d={isSmall ? 'M9 5l7 7-7 7' : 'M15 5l-7 7 7 7'} />
        </svg>
        <span className="dmp-side-word">{isSmall ? 'Expand' : 'Collapse'}</span>
      </button>
    </aside>
  )
}

interface EntryProps {
  readonly entry: NavigationEntry
  readonly isCurrent: boolean
  readonly onChoose: () => void
}

function Entry({ entry, isCurrent, onChoose }: EntryProps) {
  const { alias, routerLink, fontAwesomeClass } = entry
  const expect = () => prefetchPath(routerLink)
  return (
    <li>
      <Link
        to={routerLink}
        className={isCurrent ? 'active' : undefined}
        aria-current={isCurrent ? 'page' : undefined}
        onPointerEnter={expect}
        onFocus={expect}
        onClick={onChoose}
      >
        <ModuleIcon fontAwesomeClass={fontAwesomeClass} />
        <span className="dmp-side-word">{dataWord(alias)}</span>
      </Link>
    </li>
  )
}

const listGroups = (entries: readonly NavigationEntry[]): string[] => [
  ...new Set(entries.flatMap(({ group }) => group ?? [])),
]
