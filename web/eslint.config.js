import prettier from 'eslint-config-prettier';
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';

/** API addresses may only appear where their type is checked against the API description. */
const checkedAddress = {
  selector:
    ':matches(Literal[value=/^\\/api\\//], TemplateElement[value.raw=/^\\/api\\//])' +
    ':not(CallExpression[callee.name=/^(addressOf|fetchAnswer|get|post)$/] > Literal, TSLiteralType > Literal, TSSatisfiesExpression > Literal)',
  message: 'call it through src/api/client.ts, or add `satisfies Path`',
};

/** Layers: pages use shared, shared uses the rest; no imports upwards or between pages. Imports from another folder use the full path. */
const forbid = (above, folders) => {
  const message = `don't import from ${above.replaceAll('|', ', ')} or by a relative path outside the folder`;
  return {
    files: folders.map((folder) => `src/${folder}/**`),
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: `^(\\.\\.(?!(/\\.\\.)*/generated/)|@/(${above}))/`, message }] },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: `ImportExpression[source.value=/^(\\.\\.|@\\/(${above}))\\//]`, message },
        checkedAddress,
      ],
    },
  };
};

/** Globals that throw when the visitor blocks them are each wrapped by one module. */
const wrapperRules = [
  ['localStorage', 'src/lib/storage.ts'],
  ['sessionStorage', 'src/lib/storage.ts'],
  ['cookie', 'src/lib/cookies.ts'],
].map(([name, wrapper]) => ({ name, message: `use ${wrapper}` }));
const viaWrappers = {
  'no-restricted-globals': ['error', ...wrapperRules],
  'no-restricted-properties': [
    'error',
    ...wrapperRules.map(({ name, message }) => ({ property: name, message })),
  ],
};

export default ts.config(
  { ignores: ['dist', 'test-results', 'node_modules', 'generated'] },
  ...ts.configs.strictTypeChecked,
  ...ts.configs.stylisticTypeChecked,
  a11y.flatConfigs.strict,
  hooks.configs.flat.recommended,
  {
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { varsIgnorePattern: '^_', argsIgnorePattern: '^_' },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // `() => close()` is shorter than a block and returns nothing either.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-console': 'error',
      'max-lines': ['error', { max: 260, skipBlankLines: true, skipComments: true }],
    },
  },
  { files: ['src/**'], rules: { 'no-restricted-syntax': ['error', checkedAddress] } },
  forbid('app|pages', ['pages', 'shared']),
  forbid('app|pages|shared|ui', ['search']),
  forbid('app|pages|shared|search', ['ui']),
  forbid('app|pages|shared|search|ui|api', ['lib', 'i18n']),
  {
    files: ['src/**'],
    ignores: ['src/lib/{storage,cookies}.ts', 'src/**/*.test.*'],
    rules: viaWrappers,
  },
  { files: ['src/**/*.test.*'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    ...ts.configs.disableTypeChecked,
    rules: { ...ts.configs.disableTypeChecked.rules, 'no-console': 'off' },
  },
  {
    // Media elements are controlled by mutating them.
    files: ['src/pages/video/**'],
    rules: { 'react-hooks/immutability': 'off' },
  },
  {
    files: ['e2e/**'],
    rules: { 'react-hooks/rules-of-hooks': 'off', 'no-empty-pattern': 'off' },
  },
  prettier,
);
