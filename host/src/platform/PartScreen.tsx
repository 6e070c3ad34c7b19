import { getFigures, getNotices, listErrors, status } from '@dmp/contract/releaseCalls'
import { dataWord, refresh, useData } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { Screen, Section } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'
import { ErrorList } from './ErrorList.tsx'
import { FigureSection } from './FigureSection.tsx'
import { NoticeSection } from './NoticeSection.tsx'
import { TrustSection } from './TrustSection.tsx'
import './platform.css'

/** What pages tell of one part to the team that ships it. */
export default function PartScreen() {
  const { part = '' } = useParams()
  const { parts } = useData(status, {})
  const shown = parts.find(({ name }) => name === part)
  const title = dataWord(shown?.title ?? part)
  return (
    <Screen
      title={title}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Platform', url: '/platform' }, { name: title }]}
      actions={<Button onClick={() => refresh([listErrors, status, getFigures, getNotices])}>Refresh</Button>}
    >
      <FigureSection part={part} />
      <Errors part={part} />
      <NoticeSection part={part} />
      <TrustSection part={shown} />
    </Screen>
  )
}

function Errors({ part }: { part: string }) {
  const groups = useData(listErrors, { part })
  return (
    <Section title="Errors of the last 30 days">
      {groups.length === 0 ? <p>No page told of an error.</p> : <ErrorList groups={groups} />}
    </Section>
  )
}
