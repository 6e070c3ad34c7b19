import { complaint } from '@dmp/contract'
import { dataWord, useData, useLookup, personName } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { DateText, Detail, Facts, Screen, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { CareBox } from './CareBox.tsx'
import { ComplaintImage } from './ComplaintImage.tsx'
import { Conversation } from './Conversation.tsx'
import { SeverityBox } from './SeverityBox.tsx'
import { StatusBox } from './StatusBox.tsx'

// The columns of 2.49; dates as in 9.10.
const history: Column<complaint.StatusEntry>[] = [
  { title: 'Status', field: 'status', type: 'status' },
  { title: 'Created By', field: 'createdByUser', value: (row) => personName(row.createdByUser) },
  { title: 'Created Date', field: 'createdDate', type: 'date' },
  { title: 'Comment', field: 'comment' },
]

export function ComplaintDetailScreen() {
  const { id = '' } = useParams()
  // The same call as the content's, which shows its wait and its error.
  const { data: item } = useLookup(complaint.get, { id })
  return (
    <Screen
      title={item ? `Complaint ${item.complaintNumber}` : 'Complaint Detail'}
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Complaint', url: '/complaint' },
        { name: item ? String(item.complaintNumber) : 'Detail' },
      ]}
    >
      <ComplaintDetail id={id} />
    </Screen>
  )
}

function ComplaintDetail({ id }: { id: string }) {
  const item = useData(complaint.get, { id })
  // Beside the complaint: without it everything of the complaint is there.
  const care = useLookup(complaint.getCare, { id })
  return (
    <Detail
      side={
        <>
          <StatusBox item={item} />
          <SeverityBox item={item} />
          <CareBox id={id} found={care} />
        </>
      }
    >
      <Section title="Basic Details">
        <Facts
          facts={[
            { label: 'Complaint Number', value: item.complaintNumber },
            { label: 'Module', value: dataWord(item.moduleAlias) },
            { label: 'Type', value: dataWord(item.type) },
            { label: 'Created By', value: personName(item.createdByUser) },
            ...(item.organization === undefined ? [] : [{ label: 'Organization', value: item.organization }]),
            { label: 'Created Date', value: <DateText value={item.createdDate} format="moment" /> },
            { label: 'Description', value: item.description, wide: true },
          ]}
        />
      </Section>
      {item.imageData && <ComplaintImage image={item.imageData} />}
      {care.data && <Conversation id={id} care={care.data} />}
      <Section title="Status History">
        <SimpleTable rows={item.statusList} columns={history} label="Status History" rowKey={(row) => row.id} />
      </Section>
    </Detail>
  )
}
