import { Link } from '@dmp/kit/router'
import { PublicScreen } from '@dmp/kit/screen'

/** The success page with the words of 8.10. */
export function RegisteredScreen() {
  return (
    <PublicScreen title="Registration Successful!" footer={<Link to="/login">Log in</Link>}>
      <p>
        Thank you very much for registering with us. You will receive a confirmation email once your registration is
        approved.
      </p>
    </PublicScreen>
  )
}
