import { useUser } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { Facts, Section } from '@dmp/kit/screen'
import { Alert, Button, Flex } from '@dmp/kit/ui'

/** Replaces the form: shows the name, why it cannot change, and the way back. */
export function CannotRename({ why, next }: { why: string; next: string }) {
  const navigate = useNavigate()
  const { organization } = useUser()
  return (
    <Section title="Organization">
      <Flex vertical gap="middle" align="stretch">
        <Facts columns={1} facts={[{ label: 'Name', value: organization }]} />
        <Alert type="info" showIcon role="note" title={why} description={next} />
        <div>
          <Button onClick={() => void navigate('/account/organization')}>Back to {organization}</Button>
        </div>
      </Flex>
    </Section>
  )
}
