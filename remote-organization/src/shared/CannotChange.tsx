import { useNavigate } from '@dmp/kit/router'
import { Facts, Section } from '@dmp/kit/screen'
import { Alert, Button, Flex } from '@dmp/kit/ui'

interface CannotChangeProps {
  readonly name: string
  readonly why: string
  readonly next: string
  /** The detail of the organization. */
  readonly back: string
}

/** Replaces a form: shows the name, why it cannot change, and the way back. */
export function CannotChange({ name, why, next, back }: CannotChangeProps) {
  const navigate = useNavigate()
  return (
    <Section title="Organization">
      <Flex vertical gap="middle" align="stretch">
        <Facts columns={1} facts={[{ label: 'Name', value: name }]} />
        <Alert type="info" showIcon role="note" title={why} description={next} />
        <div>
          <Button onClick={() => void navigate(back)}>Back to {name}</Button>
        </div>
      </Flex>
    </Section>
  )
}
