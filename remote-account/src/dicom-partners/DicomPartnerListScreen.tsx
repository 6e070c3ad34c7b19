import { useState } from 'react'
import { dicomPartner } from '@dmp/contract'
import { useCan, useData } from '@dmp/kit'
import { DateText, Facts, Screen, Section } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'
import { formatPorts, toTone } from './dicomPartnerTexts.ts'
import { NewPartnerModal } from './NewPartnerModal.tsx'
import { NodeOff } from './NodeOff.tsx'
import { RefusedCallers } from './RefusedCallers.tsx'
import './dicom-partners.css'

const columns: Column<RowOf<typeof dicomPartner.list>>[] = [
  { title: 'Name', field: 'name', link: true },
  { title: 'Status', field: 'status', type: 'status', tone: toTone },
  { title: 'AE title', field: 'aeTitle' },
  { title: 'Services', value: ({ services }) => services.join(', '), sort: false },
  // With the time: whether a device still comes shows within a day.
  {
    title: 'Last seen',
    field: 'lastSeenDate',
    type: 'date',
    width: 225,
    render: ({ lastSeenDate }) => <DateText value={lastSeenDate} format="moment" />,
  },
  { title: 'Networks', value: ({ addresses }) => addresses.join(', '), sort: false, hidden: true },
  { title: 'Organization', field: 'organization', hidden: true },
  { title: 'Created', field: 'createdDate', type: 'date', hidden: true },
]

/** Modalities, workstations and archives that speak DICOM and nothing else. */
export function DicomPartnerListScreen() {
  const mayAdd = useCan(dicomPartner.add)
  const [isAdding, setAdding] = useState(false)
  const newPartner = (
    <Button type="primary" onClick={() => setAdding(true)}>
      New partner
    </Button>
  )
  return (
    <Screen
      title="DICOM partners"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'DICOM partners' }]}
      actions={mayAdd && newPartner}
    >
      <p className="dicom-partners-note">
        A modality, a workstation or an archive that speaks DICOM sends scans to your organization, searches and fetches
        them. Only partners on this list are let in.
      </p>
      <NodeOff />
      <Section title="What the device is told">
        <NodeFacts />
      </Section>
      <DataTable
        endpoint={dicomPartner.list}
        columns={columns}
        label="DICOM partners"
        rowKey={(row) => row.id}
        rowLink={(row) => `/account/dicom-partners/${row.id}`}
      />
      <Section title="Refused callers">
        <RefusedCallers />
      </Section>
      {isAdding && <NewPartnerModal onClose={() => setAdding(false)} />}
    </Screen>
  )
}

function NodeFacts() {
  const node = useData(dicomPartner.getNode, {})
  return (
    <Facts
      facts={[
        { label: 'Host', value: <code dir="ltr">{location.hostname}</code> },
        { label: 'AE title of your organization', value: node.aeTitle },
        { label: 'Port', value: formatPorts(node) },
      ]}
    />
  )
}
