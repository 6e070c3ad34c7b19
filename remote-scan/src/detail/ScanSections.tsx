import { useState } from 'react'
import type { Scan } from '@dmp/contract/scan'
import { Facts, Section } from '@dmp/kit/screen'
import { Button, Flex } from '@dmp/kit/ui'
import { advancedFacts, basicFacts, patientFacts } from './facts.tsx'
import { TagTable } from './TagTable.tsx'

/** 2.59: how many columns the sections are laid out in; a divisor of 12. */
export type SectionColumns = 1 | 2 | 3 | 4 | 6 | 12

const titles = {
  basic: { title: 'Basic Scan Details' },
  patient: { title: 'Patient Details' },
  advanced: { title: 'Advanced Scan Details' },
  tags: { title: 'Tags' },
}
const keys = Object.keys(titles)

/** The collapsible sections of a scan (2.59, 3.13). */
export function ScanSections({ item, columns = 2 }: { item: Scan; columns?: SectionColumns }) {
  const [closed, setClosed] = useState<readonly string[]>([])
  const section = (key: keyof typeof titles) => ({
    ...titles[key],
    collapsible: true,
    open: !closed.includes(key),
    onToggle: (open: boolean) => setClosed(open ? closed.filter((other) => other !== key) : [...closed, key]),
  })
  return (
    <>
      <Flex gap="small" justify="end" className="scan-detail-all">
        <Button size="small" disabled={closed.length === 0} onClick={() => setClosed([])}>
          Expand all
        </Button>
        <Button size="small" disabled={closed.length === keys.length} onClick={() => setClosed(keys)}>
          Collapse all
        </Button>
      </Flex>
      <Section {...section('basic')}>
        <Facts columns={columns} facts={basicFacts(item.basic)} />
      </Section>
      <Section {...section('patient')}>
        <Facts columns={columns} facts={patientFacts(item.patient)} />
      </Section>
      <Section {...section('advanced')}>
        <Facts columns={columns} facts={advancedFacts(item.advanced)} />
      </Section>
      <Section {...section('tags')}>
        <TagTable tags={item.tags} />
      </Section>
    </>
  )
}
