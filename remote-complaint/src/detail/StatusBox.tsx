import { complaint } from '@dmp/contract'
import { dataWord, useCan, useKeys, useLookup } from '@dmp/kit'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { Flex, StatusBadge, notify } from '@dmp/kit/ui'
import { useState } from 'react'
import { ChoiceButton } from './ChoiceButton.tsx'
import { useMayLoadLists } from './useMayLoadLists.ts'
import { StatusModal } from './StatusModal.tsx'

/** Current status, and a dropdown to change it if permitted (4.01, 6.04). */
export function StatusBox({ item }: { item: complaint.Complaint }) {
  const mayList = useMayLoadLists()
  const mayChange = useCan(complaint.updateStatus) && mayList
  const statuses = useLookup(complaint.listStatuses, {}, { enabled: mayChange })
  const [next, setNext] = useState<complaint.Lookup>()

  function choose(id: string) {
    const status = statuses.data?.find((lookup) => lookup.id === id)
    if (status) setNext(status)
    else notify.error('Could not find status with given id')
  }

  // I, O, P and R: one key, the comment, and Ctrl+Enter handle a complaint.
  const choices = mayChange ? (statuses.data ?? []) : []
  useKeys(
    choices
      .filter((status) => complaint.mayFollow(item.currentStatus, status))
      .map((status) => ({
        label: dataWord(status.name),
        group: 'Change status',
        keys: [status.name.charAt(0).toLowerCase()],
        run: () => setNext(status),
      })),
  )

  return (
    <Section title="Current Status">
      <Flex justify="space-between" align="center" gap="small" wrap>
        <StatusBadge value={item.currentStatus} />
        {mayChange && (
          <ChoiceButton
            label="Change status"
            current={item.currentStatus}
            choices={statuses.data}
            busy={statuses.isPending}
            onChoose={choose}
          />
        )}
      </Flex>
      <ErrorAlert error={statuses.error} onRetry={statuses.refetch} />
      {next && <StatusModal item={item} status={next} onClose={() => setNext(undefined)} />}
    </Section>
  )
}
