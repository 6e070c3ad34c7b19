import { organization } from '@dmp/contract'
import { useAct, useUnsaved } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column } from '@dmp/kit/table'
import { Button, Checkbox, Flex, notify } from '@dmp/kit/ui'
import { useId, useState } from 'react'

export interface LicenseFormProps {
  readonly id: string
  readonly name: string
  readonly updatedDate: string
  readonly licenses: readonly organization.License[]
}

/** One row per SaaS with its two flags, saved together (2.54, 4.06). */
export function LicenseForm({ id, name, updatedDate, licenses }: LicenseFormProps) {
  const navigate = useNavigate()
  const whyId = useId()
  // Kept apart from the licenses, which are read anew while the form is open: a copy of all would take changes back.
  const [changes, setChanges] = useState<Readonly<Record<string, Partial<organization.License>>>>({})
  const rows = licenses.map((license) => ({ ...license, ...changes[license.licenseId] }))
  const isDirty = JSON.stringify(rows) !== JSON.stringify(licenses)
  const clearUnsaved = useUnsaved(isDirty)
  const leave = () => void navigate(`/organization/detail/${id}`)
  const { act, busy, error, reset } = useAct(organization.assignLicenses, {
    refreshes: [organization.listLicenses, organization.getReadiness],
    onDone: () => {
      clearUnsaved()
      notify.success('License/s have been successfully assigned')
      leave()
    },
  })

  function flag(field: 'isActive' | 'isAutomaticAnalysis', label: string): Column<organization.License> {
    const toggle = ({ licenseId, [field]: isOn }: organization.License) =>
      setChanges({ ...changes, [licenseId]: { ...changes[licenseId], [field]: !isOn } })
    return {
      title: label,
      value: (row) => row[field],
      render: (row) => (
        <Checkbox aria-label={`${label} ${row.saas}`} checked={row[field]} onChange={() => toggle(row)} />
      ),
    }
  }

  const save = () =>
    void act({
      id,
      seenUpdatedDate: updatedDate,
      licenses: rows.map(({ licenseId, isActive, isAutomaticAnalysis }) => ({
        licenseId,
        isActive,
        isAutomaticAnalysis,
      })),
    })
  return (
    <Section title={`SaaS licenses of ${name}`}>
      <SimpleTable
        rows={rows}
        columns={[
          { title: 'SaaS', field: 'saas' },
          flag('isActive', activeText()),
          flag('isAutomaticAnalysis', automaticText()),
        ]}
        label="SaaS licenses"
        rowKey={(row) => row.licenseId}
        emptyText="There are no licenses to assign."
      />
      <ErrorAlert error={error} onClose={reset} />
      <Flex gap="small" justify="end" wrap className="dmp-under-table">
        <p className="dmp-form-why" id={whyId}>
          {isDirty ? '' : 'Nothing has changed yet.'}
        </p>
        <Button onClick={leave}>Cancel</Button>
        <Button type="primary" loading={busy} disabled={!isDirty} aria-describedby={whyId} onClick={save}>
          Save
        </Button>
      </Flex>
    </Section>
  )
}

const activeText = (): string => 'Active'
const automaticText = (): string => 'Automatic Analysis'
