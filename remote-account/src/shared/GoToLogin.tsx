import { useNavigate } from '@dmp/kit/router'
import { Button } from '@dmp/kit/ui'

/** The way back to the sign-in page, with the label of the specification. */
export function GoToLogin({ main }: { main?: boolean }) {
  const navigate = useNavigate()
  return (
    <Button block className="login-back" type={main ? 'primary' : 'default'} onClick={() => navigate('/login')}>
      Go to login
    </Button>
  )
}
