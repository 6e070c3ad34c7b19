import { useNavigate } from '@dmp/kit/router'
import { Button } from '@dmp/kit/ui'

/** The way out of pages that lead nowhere else (2.37, 2.38). */
export function BackToDashboard() {
  const navigate = useNavigate()
  return <Button type="primary" onClick={() => void navigate('/dashboard')}>Back to Dashboard</Button>
}
