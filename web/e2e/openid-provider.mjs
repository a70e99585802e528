/**
 * A small but real OpenID provider for the browser tests: discovery, keys, authorization code with PKCE, tokens signed with RS256. It
 * has one account, which is always logged in, so it redirects straight back.
 * `node openid-provider.mjs` listens on a free port, prints its issuer as the only line of output, and serves until it is killed. The
 * site's
 * client id and secret come from LANTERN__OPENID__CLIENT_ID and LANTERN__OPENID__CLIENT_SECRET, which the site reads, too.
 */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const CLIENT = process.env.LANTERN__OPENID__CLIENT_ID ?? '';
const SECRET = process.env.LANTERN__OPENID__CLIENT_SECRET ?? '';
const PERSON = {
  sub: '1001',
  email: 'mika@mail.example',
  email_verified: true,
  // Google sets `hd` for mailboxes that it hosts, and its claims about these addresses are trusted.
  hd: 'mail.example',
  preferred_username: 'Mika',
};
const KEY = 'key-1';
const LASTS_S = 300;

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** Codes that were issued but not exchanged for a token yet. Each can be used once. */
const grants = new Map();

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signed(claims) {
  const content = `${encoded({ alg: 'RS256', typ: 'JWT', kid: KEY })}.${encoded(claims)}`;
  const signature = createSign('RSA-SHA256').update(content).sign(privateKey, 'base64url');
  return `${content}.${signature}`;
}

const json = (status, body) => ({ status, headers: { 'content-type': 'application/json' }, body });
const refused = (error) => json(400, { error });

const discovery = (issuer) =>
  json(200, {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    code_challenge_methods_supported: ['S256'],
  });

const keys = () =>
  json(200, {
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: KEY, use: 'sig', alg: 'RS256' }],
  });

/** Accepts authorization requests that match the provider's rules and redirects back with a code. */
function authorize(asked) {
  const scopes = (asked.get('scope') ?? '').split(' ');
  const known =
    asked.get('client_id') === CLIENT &&
    asked.get('response_type') === 'code' &&
    asked.get('code_challenge_method') === 'S256' &&
    ['openid', 'email', 'profile'].every((scope) => scopes.includes(scope)) &&
    ['redirect_uri', 'state', 'nonce', 'code_challenge'].every((name) => asked.get(name));
  if (!known) return refused('invalid_request');
  const code = randomBytes(16).toString('base64url');
  const back = new URL(asked.get('redirect_uri'));
  grants.set(code, {
    challenge: asked.get('code_challenge'),
    nonce: asked.get('nonce'),
    redirect: asked.get('redirect_uri'),
  });
  back.searchParams.set('state', asked.get('state'));
  back.searchParams.set('code', code);
  return { status: 302, headers: { location: back.href } };
}

/** Exchanges a code for a token, given the client secret and the matching PKCE verifier. */
function token(issuer, authorization, form) {
  // RFC 6749 section 2.3.1: both halves are form-encoded before they are joined.
  const named = [CLIENT, SECRET].map((part) => String(new URLSearchParams({ part })).slice(5));
  const basic = `Basic ${Buffer.from(named.join(':')).toString('base64')}`;
  if (authorization !== basic) return json(401, { error: 'invalid_client' });
  const code = form.get('code');
  const grant = grants.get(code);
  grants.delete(code);
  const verified = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const good =
    form.get('grant_type') === 'authorization_code' &&
    grant?.challenge === verified &&
    grant.redirect === form.get('redirect_uri');
  if (!good) return refused('invalid_grant');
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: CLIENT, iat: now, exp: now + LASTS_S, nonce: grant.nonce };
  return json(200, {
    access_token: randomBytes(16).toString('base64url'),
    token_type: 'Bearer',
    expires_in: LASTS_S,
    id_token: signed({ ...claims, ...PERSON }),
  });
}

async function textOf(request) {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += part;
  return text;
}

async function answer(request) {
  const issuer = `http://${request.headers.host}`;
  const { pathname, searchParams } = new URL(request.url, issuer);
  switch (`${request.method} ${pathname}`) {
    case 'GET /.well-known/openid-configuration':
      return discovery(issuer);
    case 'GET /jwks':
      return keys();
    case 'GET /authorize':
      return authorize(searchParams);
    case 'POST /token':
      return token(
        issuer,
        request.headers.authorization,
        new URLSearchParams(await textOf(request)),
      );
    default:
      return json(404, { error: 'not_found' });
  }
}

const server = createServer((request, response) => {
  void answer(request).then(({ status, headers, body }) => {
    response.writeHead(status, headers).end(body && JSON.stringify(body));
  });
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
