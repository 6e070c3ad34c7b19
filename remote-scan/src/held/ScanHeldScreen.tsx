import { useEffect, type ReactNode } from 'react'
import { scan } from '@dmp/contract'
import type { HeldScan } from '@dmp/contract/scan'
import { personName, refresh, useCan } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, useEvery } from '@dmp/kit/table'
import { OrganizationChoice } from '../shared/OrganizationChoice.tsx'
import { ScanOrganization } from '../shared/ScanOrganization.tsx'

/** A transfer of somebody else shows here after at most this time. */
const pollMs = 5000

const columns: Column<HeldScan>[] = [
  { title: 'Patient Name', field: 'patientName', link: true },
  { title: 'Description', field: 'description' },
  { title: 'Modality', field: 'modality' },
  { title: 'Pictures', field: 'pictures' },
  { title: 'Destination', field: 'dstOrganizationName' },
  { title: 'Started By', field: 'startedByUser', value: (row) => personName(row.startedByUser ?? '') },
  { title: 'Waiting Since', field: 'createdDate', type: 'date' },
]

/** Scans whose anonymized copies wait until somebody has looked at their pictures. */
export function ScanHeldScreen() {
  const mayList = useCan(scan.listHeld)
  return (
    <Screen
      title="Held pictures"
      breadcrumbs={[
        { name: 'Dashboard', url: '/dashboard' },
        { name: 'Scans', url: '/scan' },
        { name: 'Held pictures' },
      ]}
    >
      {mayList ? (
        <>
          <p>
            Pictures that may show text which names the patient are not sent before somebody has looked at them. Open a
            scan to look, to blacken parts of its pictures, and to send it or leave it out.
          </p>
          <ScanOrganization>
            {(organization) => (
              <HeldTable
                key={organization.id}
                organizationId={organization.id}
                toolbar={<OrganizationChoice {...organization} />}
              />
            )}
          </ScanOrganization>
        </>
      ) : (
        <p>Your account is not allowed to transfer scans. Ask an administrator of your organization.</p>
      )}
    </Screen>
  )
}

function HeldTable({ organizationId, toolbar }: { organizationId: string; toolbar: ReactNode }) {
  // A look that somebody comes back to begins with what was kept last.
  useEffect(() => refresh([scan.getHeld]), [])
  // Transfers of other people do not announce themselves.
  useEvery(pollMs, () => refresh([scan.listHeld]))
  return (
    <DataTable
      endpoint={scan.listHeld}
      input={{ organizationId }}
      columns={columns}
      label="Held pictures"
      rowKey={(row) => row.id}
      rowLink={(row) => `/scan/held/${row.id}`}
      // Names of patients.
      searchInUrl={false}
      toolbar={toolbar}
      empty={<p>No pictures wait for a look.</p>}
    />
  )
}
