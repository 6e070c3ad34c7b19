import { useNavigate } from '@dmp/kit/router'
import { Button, Card } from '@dmp/kit/ui'
import type { ReactNode } from 'react'

/** The text of a page that leads nowhere, and the way out of it (2.37, 2.38). */
export function DeadEnd({ sign, children }: { sign: ReactNode; children: ReactNode }) {
  const navigate = useNavigate()
  return (
    <Card className="dmp-dead-end">
      <span className="dmp-dead-end-sign">{sign}</span>
      {children}
      <Button type="primary" onClick={() => void navigate('/dashboard')}>
        Back to Dashboard
      </Button>
    </Card>
  )
}
