import { dicomPartner } from '@dmp/contract'
import type { DicomPartner } from '@dmp/contract/dicomPartner'
import { useData, useLookup } from '@dmp/kit'
import { useParams } from '@dmp/kit/router'
import { DateText, Detail, Facts, Screen, Section } from '@dmp/kit/screen'
import { StatusBadge } from '@dmp/kit/ui'
import { DicomPartnerActions } from './DicomPartnerActions.tsx'
import { serviceTexts } from './dicomPartnerForm.ts'
import { toTone } from './dicomPartnerTexts.ts'
import { NodeOff } from './NodeOff.tsx'
import './dicom-partners.css'

export function DicomPartnerDetailScreen() {
  const { id = '' } = useParams()
  // The same call as the content's, which shows its wait and its error.
  const { data: item } = useLookup(dicomPartner.get, { id })
  const heading = 'DICOM partner'
  return (
    <Screen
      title={item?.name ?? heading}
      documentTitle={heading}
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'DICOM partners', url: '/account/dicom-partners' },
        { name: item?.name ?? 'Detail' },
      ]}
    >
      <NodeOff />
      <DicomPartnerDetail id={id} />
    </Screen>
  )
}

function DicomPartnerDetail({ id }: { id: string }) {
  const item = useData(dicomPartner.get, { id })
  return (
    <Detail side={<DicomPartnerActions item={item} />}>
      <Section title="Details">
        <Facts
          facts={[
            { label: 'Name', value: item.name },
            { label: 'Organization', value: item.organization },
            { label: 'AE title', value: item.aeTitle },
            {
              label: 'May',
              value: item.services.map((service) => (
                <div key={service}>
                  <bdi>{serviceTexts[service]}</bdi>
                </div>
              )),
              wide: true,
            },
            { label: 'Networks', value: item.addresses.join(', ') },
            {
              label: 'Certificate',
              value: item.fingerprint && <bdi className="dicom-partner-fingerprint">{item.fingerprint}</bdi>,
              wide: true,
            },
            { label: 'Listens at', value: formatDestination(item) },
            { label: 'Owner', value: item.owner },
            { label: 'Created', value: <DateText value={item.createdDate} format="moment" /> },
          ]}
        />
      </Section>
      <Section title="Status">
        <Facts
          facts={[
            { label: 'Status', value: <StatusBadge value={item.status} tone={toTone(item.status)} /> },
            { label: 'Last seen', value: <DateText value={item.lastSeenDate} format="moment" /> },
            { label: 'From address', value: item.lastSeenAddress },
          ]}
        />
      </Section>
    </Detail>
  )
}

const formatDestination = ({ host, port, usesTls }: DicomPartner): string | null =>
  host === null || host === undefined ? null : `${host}:${port}${usesTls ? ' (TLS)' : ''}`
