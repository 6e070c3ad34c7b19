import { scan } from '@dmp/contract'
import { limits } from '@dmp/contract/limits'
import { formatNumber, useData } from '@dmp/kit'
import { formatDate, getTimeZone } from '@dmp/kit/screen'
import { BarTable, Figures, TrendChart } from '@dmp/kit/table'
import { ScanOrganization, type ShownOrganization } from '../shared/ScanOrganization.tsx'
import './dashboard.css'

const daysOfWeek = 7

/** What arrived today and this week, of which modalities, and whether that is more than the week before. */
export function ArrivalsCard() {
  return <ScanOrganization>{(organization) => <Arrivals key={organization.id} {...organization} />}</ScanOrganization>
}

const toWorklist = (filters: Readonly<Record<string, string>>): string =>
  `/scan/worklist?${new URLSearchParams(filters).toString()}`

function Arrivals({ id, name, choices }: ShownOrganization) {
  const { days, modalities, isMore } = useData(scan.getArrivals, { organizationId: id, timeZone: getTimeZone() })
  const sum = (from: number, until?: number) =>
    days.slice(from, until).reduce((total, { studies }) => total + studies, 0)
  const [today, firstOfWeek] = [days.at(-1)?.day ?? '', days.at(-daysOfWeek)?.day ?? '']
  const [week, weekBefore] = [sum(-daysOfWeek), sum(0, -daysOfWeek)]
  return (
    <>
      {choices && <p className="scan-card-note">{name}</p>}
      <Figures
        figures={[
          {
            label: 'Studies today',
            value: formatNumber(sum(-1)),
            to: toWorklist({ receivedFrom: today, receivedTo: today }),
          },
          {
            label: 'Last 7 days',
            value: formatNumber(week),
            to: toWorklist({ receivedFrom: firstOfWeek, receivedTo: today }),
            noteText: `Week before: ${formatNumber(weekBefore)}`,
          },
        ]}
      />
      <TrendChart
        label="Arrivals day by day"
        nameLabel="Day"
        countLabel="Studies"
        marked={daysOfWeek}
        points={days.map(({ day, studies }) => ({
          label: formatDate(day, 'short'),
          value: studies,
          to: toWorklist({ receivedFrom: day, receivedTo: day }),
        }))}
      />
      {modalities.length > 0 && (
        <BarTable
          label="Studies of the last 7 days by modality"
          nameLabel="Modality"
          countLabel="Studies"
          bars={modalities.map(({ modality, studies }) => ({
            label: modality,
            value: studies,
            to: toWorklist({ modality, receivedFrom: firstOfWeek, receivedTo: today }),
          }))}
        />
      )}
      {isMore && (
        <p className="scan-card-note">{`Only the newest ${formatNumber(limits.countedArrivals)} studies are counted.`}</p>
      )}
    </>
  )
}
